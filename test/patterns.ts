import { parseSync, Visitor } from 'oxc-parser'
import { checkSync } from 'recheck'

/** A pattern as it stands in a file: what a call makes at run time is `built`, and can't be read here. */
export type Pattern = { file: string; source: string; flags: string; built: boolean }

/** Every pattern of a file, literals and calls of RegExp alike. */
export function patternsIn(file: string, text: string): Pattern[] {
  const found: Pattern[] = []
  const literal = (node: object) => {
    if (!('regex' in node)) return
    const { flags, pattern } = node.regex as { flags: string; pattern: string }
    found.push({ file, source: pattern, flags, built: false })
  }
  const call = ({ callee, end, start }: { callee: object; start: number; end: number }) => {
    if ('name' in callee && callee.name === 'RegExp')
      found.push({ file, source: text.slice(start, end), flags: '', built: true })
  }
  const { errors, program } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  new Visitor({ Literal: literal, NewExpression: call, CallExpression: call }).visit(program)
  return found
}

/** Limits are counted in steps, not in seconds: a busy machine takes an attack that lasts a second for a slow pattern. */
const unhurried = { timeout: 120_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }

/** Whether what a pattern costs grows no faster than the text that it meets, and if it does, how fast. */
export function cost(source: string, flags: string): string {
  const judged = checkSync(source, flags, unhurried)
  if (judged.status === 'safe') return 'as the text'
  return judged.status === 'vulnerable' ? judged.complexity.summary : judged.error.kind
}
