// Copied into the checkout whose tests are judged: its sources ask here which defect is on. No more than one is.
// In a browser, and in the process that starts the tests, none is.
const { process } = globalThis as { process?: NodeJS.Process }
const active = process?.env.VITEST_POOL_ID ? Number(process.env.DEFECT) : 0
const reached = process?.env.VITEST_POOL_ID ? process.env.DEFECTS_REACHED : undefined
const known = new Set<number | string>()

/** Writes down, once in each process, that a test reaches the place of a defect, or a function of a module. */
export function reach(place: number | string) {
  if (!reached || known.has(place)) return
  known.add(place)
  process!.getBuiltinModule('node:fs').appendFileSync(reached, `${place}\n`)
}

export function isOn(defect: number): boolean {
  reach(defect)
  return defect === active
}

export const not = (defect: number, value: unknown) => (isOn(defect) ? !value : value)
export const either = (defect: number, value: unknown, changed: unknown) => (isOn(defect) ? changed : value)

class Held {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}
/** A promise that `await` does not wait for, until `release` takes it out again. */
export const hold = (defect: number, value: unknown) => (isOn(defect) ? new Held(value) : value)
export const release = (value: unknown) => (value instanceof Held ? value.value : value)

/** Compares by the operator, or by the one that judges equal values otherwise. */
export function edge(defect: number, operator: string, left: number, right: number): boolean {
  const orEqual = operator.endsWith('=') !== isOn(defect)
  if (operator.startsWith('<')) return orEqual ? left <= right : left < right
  return orEqual ? left >= right : left > right
}
