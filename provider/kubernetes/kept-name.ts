/** An object of the program by its name, and the component that writes it. */
interface Named {
  readonly name: string;
  /** URN of the component below the stack. */
  readonly resource: string;
  /** The program gives no name: it is the component's own. */
  readonly isDefaultName?: boolean | null | undefined;
}

/**
 * Keeps what an alias changes of a component, so that a rename leaves the object as it is: the mark of its writer, and a name
 * that the program leaves to the package. A name that the program gives is taken as it is given.
 *
 * @param olds The inputs in the state; empty before the create, and where a replacement is planned.
 */
export function keepNamed<Inputs extends Named>(olds: Partial<Named>, news: Inputs): Inputs {
  const { name, resource } = olds;
  return {
    ...news,
    ...(resource === undefined ? {} : { resource }),
    ...(name === undefined || news.isDefaultName !== true ? {} : { name }),
  };
}

/** Keeps the mark of an object's writer, for a resource that has no name of its own. */
export function keepResource<Inputs extends Pick<Named, "resource">>(
  olds: Partial<Pick<Named, "resource">>,
  news: Inputs,
): Inputs {
  return olds.resource === undefined ? news : { ...news, resource: olds.resource };
}
