export type Line = { what: string; goal?: string; met?: boolean } & Record<
  string,
  string | number | boolean | undefined
>

/** Prints what was measured as a table, says of each goal whether it was met, and ends with one line of JSON. */
export function report(bench: string, title: string, lines: readonly Line[]) {
  console.log(`\n${title}`)
  console.table(
    Object.fromEntries(
      lines.map(({ what, met, ...rest }) => [
        what,
        { ...rest, met: met === undefined ? '' : met ? 'yes' : 'no' },
      ]),
    ),
  )
  for (const { what, goal, met } of lines)
    if (goal !== undefined) console.log(`${what}: ${goal}: goal met: ${met ? 'yes' : 'no'}`)
  console.log(JSON.stringify({ bench, lines }))
}

/** "200 x 950, 409 x 50" */
export const told = (statuses: Record<string, number>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${status} x ${count}`)
    .join(', ')
