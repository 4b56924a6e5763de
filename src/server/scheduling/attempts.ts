/** Who is being tried for which start (epoch minutes) by this process, by person and local date. */
const attempts = new Map<string, { start: number; ended: Promise<unknown> }>()

/**
 * Tries the first of some people for a start, best first, unless another booking of this process is at that person's day.
 * One at the very same start is about to take the person, so the next one is tried; where all are about to be taken, or
 * another start is tried, it is waited for. After a wait the answer is `again`: look anew. So a crowd at one slot waits here, in memory, and not at a lock with a database
 * connection each; between processes the lock decides.
 */
export async function tryBest<Result>(
  people: readonly { id: string }[],
  date: string,
  start: number,
  run: (personId: string) => Promise<Result>,
): Promise<Result | 'again'> {
  const keyOf = ({ id }: { id: string }) => `${id} ${date}`
  const best = people.find((one) => attempts.get(keyOf(one))?.start !== start)
  if (!best) {
    // All of them: whoever looked after each would look as often as there are people, to find the last one taken too.
    await Promise.all(people.map((one) => attempts.get(keyOf(one))?.ended))
    return 'again'
  }
  const other = attempts.get(keyOf(best))
  if (other) {
    await other.ended
    return 'again'
  }
  const result = run(best.id)
  const ended = result.catch(() => undefined).finally(() => attempts.delete(keyOf(best)))
  attempts.set(keyOf(best), { start, ended })
  return result
}
