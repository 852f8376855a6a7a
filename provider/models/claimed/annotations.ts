/**
 * Annotation on a Bucket object from before the first create call: tells the run after a kill that the bucket may
 * exist in the backend. Its value is a hash of what the call asks for.
 */
export const createSentAnnotation = "pulumi-cosi/create-sent";

/**
 * Annotation on an access object from before a revoke call until it is known that it had no effect: tells the next
 * run that the account may be gone.
 */
export const revokeSentAnnotation = "pulumi-cosi/revoke-sent";
