/** Who waits; of one who is named only one is inside at a time. */
type Waiting = { who: string | undefined; begin: () => void }

/**
 * Lets so many run at the same time; the others begin in the order they came, but somebody who is inside already lets
 * others go first. `waiting` says how many wait.
 */
export function turnstile(most: number) {
  const queue: Waiting[] = []
  const busy = new Set<string>()
  let inside = 0
  const mayBegin = ({ who }: Pick<Waiting, 'who'>) => inside < most && (who === undefined || !busy.has(who))
  const enter = (who: string | undefined) => {
    inside++
    if (who !== undefined) busy.add(who)
  }
  const leave = (who: string | undefined) => {
    inside--
    if (who !== undefined) busy.delete(who)
    const at = queue.findIndex(mayBegin)
    const [next] = at < 0 ? [] : queue.splice(at, 1)
    if (!next) return
    enter(next.who)
    next.begin()
  }
  const inTurn = async <Result>(run: () => Promise<Result>, who?: string): Promise<Result> => {
    if (mayBegin({ who })) enter(who)
    else await new Promise<void>((begin) => queue.push({ who, begin }))
    try {
      return await run()
    } finally {
      leave(who)
    }
  }
  return Object.assign(inTurn, { waiting: () => queue.length })
}
