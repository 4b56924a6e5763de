/** When a participant was in a room, in milliseconds since 1970. */
export type Stay = { from: number; to: number }

/** How long both sides of a call were in its room at once, in milliseconds. */
export function togetherFor(ones: readonly Stay[], others: readonly Stay[]): number {
  const apart = [spells(ones), spells(others)] as const
  return apart[0].flatMap((one) => apart[1].map((other) => shared(one, other))).reduce((a, b) => a + b, 0)
}

const shared = (one: Stay, other: Stay) =>
  Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from))

/** The same time as stays that neither touch nor overlap: a page that replaced another was there at the same moment. */
function spells(stays: readonly Stay[]): Stay[] {
  const merged: Stay[] = []
  for (const { from, to } of stays
    .filter((stay) => stay.to > stay.from)
    .toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}
