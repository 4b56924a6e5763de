/** Lets so many run at the same time; the others begin in the order they came. */
export function turnstile(most: number) {
  const waiting: (() => void)[] = []
  let inside = 0
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (inside < most) inside++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside--
    }
  }
}
