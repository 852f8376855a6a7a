/**
 * What is used of the library. Its own types are not found under `nodenext`: they import each other without extensions,
 * in a package of ES modules.
 */
declare module "@dagrejs/dagre" {
  /** Middle and size, in pixels. */
  interface PlacedNode {
    x: number;
    y: number;
    width: number;
    height: number;
  }

  interface PlacedEdge {
    /** Middle of its label, and the label's size. */
    x: number;
    y: number;
    width: number;
    height: number;
    points: { x: number; y: number }[];
  }

  export class Graph {
    constructor(options: { directed: boolean; compound: boolean; multigraph: boolean });
    setGraph(label: {
      rankdir: "LR" | "TB";
      nodesep: number;
      edgesep: number;
      ranksep: number;
      marginx: number;
      marginy: number;
    }): this;
    setNode(id: string, size: { width: number; height: number }): this;
    setParent(id: string, parent: string): this;
    setEdge(
      from: string,
      to: string,
      label: { width: number; height: number; labelpos: "c" },
      name: string,
    ): this;
    node(id: string): PlacedNode;
    edge(from: string, to: string, name: string): PlacedEdge;
  }

  /** Writes its places into the graph. */
  export function layout(graph: Graph): void;
}
