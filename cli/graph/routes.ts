/** Of an arrow, along the direction of all arrows (`along`) and across it. */
export interface Place {
  readonly along: number;
  readonly across: number;
}

/** Where a box lies along the direction, and its middle across it. */
export interface Extent {
  readonly begin: number;
  readonly end: number;
  readonly middle: number;
}

/** Boxes that stand side by side: an arrow changes its lane before or behind them, never among them. */
export interface Rank {
  readonly begin: number;
  readonly end: number;
}

/** Between boxes and the lanes that change behind them. */
const gap = 6;

/** Ranks of boxes: those whose middles are the same. @param gapBefore Between boxes and the lanes that change before them. */
export function ranksOf(boxes: readonly Extent[], gapBefore: number): Rank[] {
  const ranks = Map.groupBy(boxes, ({ begin, end }) => Math.round((begin + end) / 2));
  return [...ranks.values()].map((alike) => ({
    begin: Math.min(...alike.map(({ begin }) => begin)) - gapBefore,
    end: Math.max(...alike.map(({ end }) => end)) + gap,
  }));
}

/**
 * The way of an arrow from box to box, straight wherever boxes or its label are.
 *
 * @param between Its lanes: a place in each rank that it goes through.
 * @param label Its middle, and half of its length.
 */
export function routeOf(
  from: Extent,
  to: Extent,
  between: readonly Place[],
  label: Place & { readonly half: number },
  ranks: readonly Rank[],
): Place[] {
  const rankAt = (along: number): Rank | undefined =>
    ranks.find(({ begin, end }) => begin < along && along < end);
  const start = { along: from.end, across: from.middle };
  const end = { along: to.begin, across: to.middle };
  const isAtLabel = ({ along }: Place): boolean => Math.abs(along - label.along) <= label.half;
  const leave = rankAt(start.along)?.end ?? start.along;
  const reach = rankAt(end.along)?.begin ?? end.along;
  const lanes = between
    .filter(({ along }) => along > leave && along < reach)
    .filter((place) => !isAtLabel(place))
    .flatMap((place) => straight(place, rankAt(place.along)));
  const atLabel = straight(label, { begin: label.along - label.half, end: label.along + label.half });
  const inner = [...lanes, ...atLabel].toSorted((one, other) => one.along - other.along);
  return [start, { ...start, along: leave }, ...inner, { ...end, along: reach }, end].filter(
    (place, index, all) => index === 0 || place.along > (all[index - 1]?.along ?? 0),
  );
}

function straight({ across, along }: Place, rank: Rank | undefined): Place[] {
  if (rank === undefined) return [{ along, across }];
  return [
    { along: rank.begin, across },
    { along: rank.end, across },
  ];
}
