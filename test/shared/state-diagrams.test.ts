import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { appointmentMachine } from '../../src/appointments/rules/transitions.ts'
import { diagramOf, machineNames, withDiagrams } from '../kit/state-diagrams.ts'

const root = path.resolve(import.meta.dirname, '../..')
const pages = globSync('docs/areas/*.md', { cwd: root })
const textOf = (page: string) => readFileSync(path.join(root, page), 'utf8')

test.each(pages)(
  '%s draws its machines as they are (node test/kit/state-diagrams.ts docs/areas/*.md)',
  (page) => expect(withDiagrams(textOf(page)).drawn).toBe(textOf(page)),
)

test('each machine is drawn once', () =>
  expect(pages.flatMap((page) => withDiagrams(textOf(page)).names).toSorted()).toEqual(machineNames))

test('an old diagram is replaced, and one arrow carries all transitions between two states', () => {
  const drawn = diagramOf(appointmentMachine)
  expect(drawn).toContain('  requested --> assigned: assign, autoConfirm, rescheduleTo\n')
  const old = '<!-- machine: appointment -->\n\n```mermaid\nstateDiagram-v2\n  a --> b: c\n```\n\nMore'
  expect(withDiagrams(old).drawn).toBe(`<!-- machine: appointment -->\n\n${drawn}\n\nMore`)
})
