import type { Change } from "./resource";

/** How a box is drawn. */
export type Form = "object" | "store" | "workload";

export interface Box {
  readonly id: string;
  /** The first is its title. */
  readonly lines: readonly string[];
  readonly form: Form;
  readonly change: Change | undefined;
  /** Data is deleted by a destroy, or by this preview. */
  readonly losesData: boolean;
  /** Id of its frame. */
  readonly frame: string | undefined;
}

export interface Frame {
  readonly id: string;
  readonly title: string;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** What is drawn, whatever the format. */
export interface Picture {
  readonly title: string;
  readonly frames: readonly Frame[];
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}
