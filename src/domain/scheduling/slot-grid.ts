import type { LocalDay } from '../shared/calendar.ts'

/** Candidate slots as bits: `words` words for each day; bit k of a day is the start first[day] + k * step. */
export type SlotGrid = {
  days: readonly LocalDay[]
  step: number
  words: number
  /** The first and the last start that fit in the opening hours, in epoch minutes. */
  first: Int32Array
  last: Int32Array
  /** The slots the calendar allows, and those among them that a person can take. */
  wanted: Int32Array
  open: Int32Array
  /** Days with a wanted slot that is not open yet. */
  unsettled: number
  /** Bits of the one person and day at work; none between two of them. */
  free: Int32Array
}

/** A grid for these days with nothing wanted yet. */
export function slotGrid(days: readonly LocalDay[], step: number): SlotGrid {
  const words = Math.ceil(1440 / step / 32)
  return {
    days,
    step,
    words,
    first: new Int32Array(days.length),
    last: new Int32Array(days.length),
    wanted: new Int32Array(days.length * words),
    open: new Int32Array(days.length * words),
    unsettled: 0,
    free: new Int32Array(words),
  }
}

/** Wants a day's slots from an epoch minute on. */
export function wantFrom(grid: SlotGrid, day: number, from: number) {
  const { first, last, step, wanted, words } = grid
  const k = Math.max(0, Math.ceil((from - first[day]!) / step))
  setRange(wanted, day * words, k, Math.floor((last[day]! - first[day]!) / step))
  if (!settled(grid, day)) grid.unsettled++
}

/** Whether all that is wanted of a day is open. */
export function settled({ open, wanted, words }: SlotGrid, day: number): boolean {
  for (let w = day * words; w < (day + 1) * words; w++) if (open[w] !== wanted[w]) return false
  return true
}

/** Frees the day's starts between two epoch minutes, both included. */
export function freeBetween({ first, free, last, step }: SlotGrid, day: number, low: number, high: number) {
  const zero = first[day]!
  const from = Math.max(0, Math.ceil((low - zero) / step))
  setRange(free, 0, from, Math.floor((Math.min(high, last[day]!) - zero) / step))
}

/** Takes the day's starts between two epoch minutes, both included, away again. */
export function blockBetween({ first, free, last, step }: SlotGrid, day: number, low: number, high: number) {
  const zero = first[day]!
  const from = Math.max(0, Math.ceil((low - zero) / step))
  const to = Math.floor((Math.min(high, last[day]!) - zero) / step)
  for (let w = from >> 5; from <= to && w <= to >> 5; w++) free[w]! &= ~mask(w, from, to)
}

/** Opens the free and wanted starts of a day between two epoch minutes, both included. */
export function openBetween(grid: SlotGrid, day: number, low: number, high: number) {
  const { first, free, last, open, step, wanted, words } = grid
  const zero = first[day]!
  const from = Math.max(0, Math.ceil((low - zero) / step))
  const to = Math.floor((Math.min(high, last[day]!) - zero) / step)
  for (let w = from >> 5; from <= to && w <= to >> 5; w++)
    open[day * words + w]! |= free[w]! & wanted[day * words + w]! & mask(w, from, to)
}

/** The open starts of a day, in epoch minutes. */
export function startsOf({ first, open, step, words }: SlotGrid, day: number): number[] {
  const starts: number[] = []
  for (let k = 0; k < words * 32; k++)
    if (open[day * words + (k >> 5)]! & (1 << (k & 31))) starts.push(first[day]! + k * step)
  return starts
}

/** The bits of word w that belong to the range from..to, both included. */
const mask = (w: number, from: number, to: number) =>
  (w === from >> 5 ? -1 << (from & 31) : -1) & (w === to >> 5 ? -1 >>> (31 - (to & 31)) : -1)

function setRange(bits: Int32Array, at: number, from: number, to: number) {
  if (from <= to) for (let w = from >> 5; w <= to >> 5; w++) bits[at + w]! |= mask(w, from, to)
}
