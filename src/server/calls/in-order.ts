/** Runs what is given one after the other; whatever fails is told, and the next one runs. */
export function inOrder(failed: (error: unknown) => void) {
  let last = Promise.resolve()
  let waiting = 0
  return {
    waiting: () => waiting,
    run(next: () => Promise<void>): Promise<void> {
      waiting++
      last = last
        .then(next)
        .catch(failed)
        .finally(() => waiting--)
      return last
    },
  }
}

/** So many at once, and so many each second; false when that is used up. */
export function allowance(most: number, eachSecond: number) {
  let left = most
  let at = performance.now()
  return () => {
    const now = performance.now()
    left = Math.min(most, left + ((now - at) / 1_000) * eachSecond)
    at = now
    if (left < 1) return false
    left--
    return true
  }
}
