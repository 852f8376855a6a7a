import type { KubernetesObject } from "./kubernetes-object";
import type { Places } from "./place-types";
import { kindPlaces } from "./places-of-kinds";
import { typePlaces } from "./places-of-types";

/** Where a resource says what rules ask for; `undefined` for one that says nothing of it. */
export function placesOf(type: string, object: KubernetesObject | undefined): Places | undefined {
  return typePlaces.get(type) ?? (object === undefined ? undefined : ofObject(object));
}

function ofObject({ kind, ofComponent, isPatch }: KubernetesObject): Places | undefined {
  const found = kindPlaces[kind];
  if (found === undefined) return undefined;
  const { repeats = false, ...places } = found;
  if (ofComponent && repeats) return places.secret === undefined ? undefined : { secret: places.secret };
  // A patch changes what it gives, and leaves the rest as it is.
  return isPatch ? { ...places, deletesWithout: undefined } : places;
}
