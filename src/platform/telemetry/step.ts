/** Says how far a step is: which part of it is done, such as "31 of 55". */
export type NoteProgress = (part?: string) => void

const everyMs = 5_000

/**
 * Runs a step of the start and says on the console what it is, every five seconds how far it is, and how long it took. One
 * that calls `tell` is mentioned at once, one that finds nothing to do only if that takes five seconds.
 */
export async function toldStep<Result>(
  name: string,
  run: (tell: NoteProgress) => Promise<Result>,
  say: (line: string) => void = console.log,
): Promise<Result> {
  const from = performance.now()
  const seconds = () => `${Math.round((performance.now() - from) / 1000)} s`
  let isSaid = false
  let done = ''
  const mention = (line: string) => {
    isSaid = true
    say(`${name}…${line}`)
  }
  const timer = setInterval(() => mention(` ${done}${seconds()}`), everyMs)
  try {
    const result = await run((part) => {
      done = part ? `${part}, ` : ''
      if (!isSaid) mention('')
    })
    if (isSaid) mention(` done, ${seconds()}`)
    return result
  } finally {
    clearInterval(timer)
  }
}
