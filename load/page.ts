import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import type { Line } from '../bench/report.ts'
import { localDate, toMinutes } from '../src/domain/shared/calendar.ts'

const columns = [
  'due',
  'served',
  'p50',
  'p99',
  'away',
  'failed',
  'MB',
  'web',
  'database',
  'replica',
  'generator',
] as const
const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->']

/** Puts the table of a run into a page of the documentation, between its two marks, in place of the one before. */
export function writeInto(file: string, lines: readonly Line[], about: string) {
  const page = readFileSync(file, 'utf8')
  const [before, rest] = page.split(begin)
  if (rest === undefined) throw new Error(`${file} has no ${begin}`)
  const after = rest.includes(end) ? rest.slice(rest.indexOf(end) + end.length) : rest
  writeFileSync(file, `${before}${begin}\n\n${tableOf(lines, about)}\n\n${end}${after}`)
}

function tableOf(lines: readonly Line[], about: string): string {
  const machine = `${availableParallelism()} processors (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`
  const date = localDate(toMinutes(new Date()))
  const rows = lines.map(({ what, met, ...rest }) =>
    [what, ...columns.map((name) => rest[name] ?? ''), met === undefined ? '' : met ? 'yes' : 'no'].join(
      ' | ',
    ),
  )
  return [
    `${date}, ${machine}. ${about}. Requests a second that were due and that were served, milliseconds from when they were due, processors used by each part; the generator ran on the same machine.`,
    '',
    `| run | ${columns.join(' | ')} | goal met |`,
    `| --- | ${columns.map(() => '---:').join(' | ')} | --- |`,
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')
}
