/** Lets so many run at the same time; the others begin in the order they came. `waiting` says how many those are. */
export function turnstile(most: number) {
  const queue: (() => void)[] = []
  let inside = 0
  const inTurn = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (inside < most) inside++
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next) next()
      else inside--
    }
  }
  return Object.assign(inTurn, { waiting: () => queue.length })
}
