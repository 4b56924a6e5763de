import path from 'node:path'
import { type Defect, programOf, walk } from './defects.ts'

/** Where the checkout has its copy of switch.ts. */
export const switchFile = 'src/defect-switch.ts'

/** A defect, by the number that turns it on. */
export type Numbered = Defect & { id: number }
type Edit = { at: number; to: number; text: string; order: number }

/** Of several around one text, the lowest `rank` is outermost. */
const around = (start: number, end: number, before: string, after: string, rank: number): Edit[] => [
  // At one place, what ends comes before what begins; of two that begin, the longer is first, of two that end, the shorter.
  { at: start, to: start, text: before, order: rank - (end - start) * 1e6 },
  { at: end, to: end, text: after, order: (end - start) * 1e6 - rank - 1e14 },
]

function editsOf({ changed, end, id, kind, original, start }: Numbered): Edit[] {
  // Only the operands of a boundary are its own: what else is around it stays outside.
  const rank = kind === 'boundary' ? 1e5 : id
  const wrap = (before: string, after = ')') => around(start, end, `__defects.${before}`, after, rank)
  if (kind === 'comparison' || kind === 'guard negated') return wrap(`not(${id}, `)
  if (kind === 'guard removed') return around(start, end, `!__defects.isOn(${id}) && (`, ')', id)
  if (kind === 'await') {
    const from = start + /^await\s+/.exec(original)![0].length
    return [...wrap('release('), ...around(from, end, `__defects.hold(${id}, `, ')', id)]
  }
  if (kind !== 'boundary') return wrap(`either(${id}, `, `, ${changed})`)
  const { left, operator, right } = (
    programOf('a.ts', `(${original})`) as unknown as { body: [{ expression: { expression: Binary } }] }
  ).body[0].expression.expression
  const comma = { at: start + left.end - 1, to: start + right.start - 1, text: ', ', order: 0 }
  return [...wrap(`edge(${id}, '${operator}', `), comma]
}
type Binary = { left: { end: number }; operator: string; right: { start: number } }

/** Marks each function of a module, so that a run says whether it called one. */
function probes(file: string, text: string): Edit[] {
  const edits: Edit[] = []
  walk(programOf(file, text), ({ body, type }) => {
    const { end, start, type: what } = (body ?? {}) as { start: number; end: number; type: string }
    if (!/Function/.test(type) || !body) return
    const call = `__defects.reach('${file}')`
    if (what === 'BlockStatement')
      edits.push({ at: start + 1, to: start + 1, text: `${call};`, order: -1e16 })
    else edits.push(...around(start, end, `(${call}, `, ')', 0))
  })
  return edits
}

/** A source with its defects behind a switch, and with probes where `probed`. Its lines keep their numbers. */
export function schemataOf(
  file: string,
  text: string,
  defects: readonly Numbered[],
  probed: boolean,
): string {
  if (defects.length === 0 && !probed) return text
  const edits = [...defects.flatMap(editsOf), ...(probed ? probes(file, text) : [])]
  let done = 0
  let result = ''
  for (const { at, text: added, to } of edits.toSorted((a, b) => a.at - b.at || a.order - b.order)) {
    result += text.slice(done, at) + added
    done = to
  }
  const to = path.relative(path.dirname(file), switchFile)
  const from = to.startsWith('.') ? to : `./${to}`
  return `import * as __defects from '${from}'; ${result}${text.slice(done)}`
}
