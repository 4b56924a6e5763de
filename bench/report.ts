/**
 * One row of a table. A goal that is not met ends the run with 1, unless `fails` says otherwise: what a benchmark aims at
 * and is known not to reach on two processors is printed only.
 */
export type Line = { what: string; goal?: string; met?: boolean; fails?: boolean } & Record<
  string,
  string | number | boolean | undefined
>

/** Set for a run that only shows that the program runs, as the tests do at several moments: it measures nothing. */
const isShort = process.env.BENCH_SHORT === '1'

/** A size of the measurement, and the one of a short run. */
export const sized = <Size>(full: Size, short: Size): Size => (isShort ? short : full)

/** Whether a goal of speed is met: a short run is no measure of it, and judges the other goals only. */
export const isFast = (met: boolean): boolean => isShort || met

/** Prints what was measured as a table, says of each goal whether it was met, and ends with one line of JSON. The process will end with 1 where one fails. */
export function report(bench: string, title: string, lines: readonly Line[]) {
  console.log(`\n${title}`)
  console.table(
    Object.fromEntries(
      lines.map(({ what, met, fails, ...rest }) => [
        what,
        { ...rest, met: met === undefined ? '' : met ? 'yes' : 'no' },
      ]),
    ),
  )
  for (const { what, goal, met } of lines)
    if (goal !== undefined) console.log(`${what}: ${goal}: goal met: ${met ? 'yes' : 'no'}`)
  console.log(JSON.stringify({ bench, lines }))
  if (lines.some(({ met, fails = met === false }) => fails)) process.exitCode = 1
}

/** "200 x 950, 409 x 50" */
export const told = (statuses: Record<string, number>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${status} x ${count}`)
    .join(', ')
