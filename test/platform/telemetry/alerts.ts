import { readFileSync } from 'node:fs'

export type Alert = { name: string; expr: string; runbook: string }

const file = new URL('../../../deploy/prometheus/alerts.yml', import.meta.url)

/** The rules as they are written: a name, a query of one line or folded, and where to read on. */
export const alerts: readonly Alert[] = readFileSync(file, 'utf8')
  .split(/\n\s+- alert: /)
  .slice(1)
  .map((text) => ({
    name: text.split('\n', 1)[0]!.trim(),
    expr: /expr: (?:>-)?([\s\S]*?)\n\s+for:/.exec(text)![1]!.replace(/\s+/g, ' ').trim(),
    runbook: /runbook: (\S+)/.exec(text)![1]!,
  }))

/** The names of figures that a query asks for: what is neither a function nor a label, nor stands in quotes. */
export const namesIn = (expr: string): string[] => [
  ...new Set(expr.replace(/"[^"]*"/g, '').match(/\b(?:carga|http|process|nodejs)_\w+/g) ?? []),
]

export type Sample = { name: string; value: number }

/** What a process says, without comments and labels. */
export const samplesIn = (text: string): Sample[] =>
  text
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ name: line.split(/[{ ]/, 1)[0]!, value: Number(line.slice(line.lastIndexOf(' '))) }))

/** Whether an alert of the simplest form, the largest of something over a bound, holds for what one process says. */
export function holds(name: string, samples: readonly Sample[]): boolean {
  const { expr } = alerts.find((alert) => alert.name === name)!
  const [, figure, bound] = /^max(?: by \(\w+\))? ?\((\w+)\) > (\d+)$/.exec(expr)!
  return samples.some((sample) => sample.name === figure && sample.value > Number(bound))
}
