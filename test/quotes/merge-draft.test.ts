import { byHand } from '../../src/quotes/rules/adding.ts'
import { type TypedQuote, typedOf } from '../../src/quotes/rules/draft.ts'
import { edited } from '../../src/quotes/rules/draft-edits.ts'
import { draftField, draftRead, mergeDrafts } from '../../src/quotes/rules/merge-draft.ts'
import { content } from '../kit/quotes.ts'

const read = typedOf(content())
const [first] = read.options
const withLine = (typed: TypedQuote, at: number, line: object): TypedQuote => {
  const [option, ...others] = typed.options
  const lines = option!.lines.with(at, { ...option!.lines[at]!, ...line })
  return { ...typed, options: [{ ...option!, lines }, ...others] }
}
const edit = (typed: TypedQuote, name: 'remove' | 'down') =>
  edited(typed, { name, option: 0, list: 'lines', at: 0 }, []).typed
const added = (typed: TypedQuote) =>
  edited(typed, { name: 'add', option: 0, list: 'lines', text: 'Otra', code: byHand }, []).typed
const linesOf = ({ options }: TypedQuote) => options[0]!.lines

test('keeps what each of two people changed of one line, and both values of what both did', () => {
  const theirs = withLine({ ...read, depositPercent: '70' }, 0, { unitPrice: '8000.00' })
  const mine = withLine({ ...read, depositPercent: '60', notes: 'Hola' }, 0, { quantity: '9' })
  const { changes, typed } = mergeDrafts(read, mine, theirs)
  expect(linesOf(typed)[0]).toMatchObject({ unitPrice: '8000.00', quantity: '9' })
  expect(typed).toMatchObject({ depositPercent: '60', notes: 'Hola' })
  expect(changes).toMatchObject([
    { name: 'depositPercent', change: 'both', theirs: '70', mine: '60' },
    { name: 'options.0.lines.0.unitPrice', change: 'followed', theirs: '8000.00' },
  ])
})

test('tells both kinds of a line as its list stores them', () => {
  const { changes } = mergeDrafts(
    read,
    withLine(read, 0, { kind: 'labor' }),
    withLine(read, 0, { kind: 'other' }),
  )
  expect(changes).toMatchObject([{ change: 'both', theirs: 'other', mine: 'labor' }])
})

test('keeps lines that both added, under ids of their own', () => {
  const { typed } = mergeDrafts(
    read,
    withLine(added(read), first!.lines.length, { description: 'Mía' }),
    added(read),
  )
  const ids = linesOf(typed).map(({ id }) => id)
  expect(ids).toHaveLength(first!.lines.length + 2)
  expect(new Set(ids).size).toBe(ids.length)
})

test('keeps one of a line that was stored by an earlier sending of the same form', () => {
  const mine = withLine(added(read), first!.lines.length, { description: 'Mía' })
  expect(linesOf(mergeDrafts(read, mine, mine).typed)).toHaveLength(first!.lines.length + 1)
})

test('follows a line that was removed or moved, and keeps one that the other person changed', () => {
  const ids = (typed: TypedQuote) => linesOf(typed).map(({ id }) => id)
  expect(ids(mergeDrafts(read, read, edit(read, 'remove')).typed)).toEqual(ids(read).slice(1))
  expect(ids(mergeDrafts(read, edit(read, 'down'), read).typed)).toEqual(ids(edit(read, 'down')))
  for (const [mine, theirs] of [
    [withLine(read, 0, { unitPrice: '1' }), edit(read, 'remove')],
    [edit(read, 'remove'), withLine(read, 0, { unitPrice: '1' })],
  ] as const) {
    const { changes, typed } = mergeDrafts(read, mine, theirs)
    expect(linesOf(typed)).toContainEqual(expect.objectContaining({ unitPrice: '1' }))
    expect(changes).toMatchObject([{ change: 'both', theirs: expect.stringContaining('sigue aquí') }])
  }
})

test('a form sends the fields of a line in another order than a draft is stored: what nobody changed is the same', () => {
  const sent = (typed: TypedQuote) => draftRead(draftField(typed))!
  const kept = linesOf(read).length
  const removed = edit(read, 'remove')
  for (const [before, mine, theirs] of [
    [read, sent(read), removed],
    [sent(read), sent(removed), read],
  ] as const)
    expect(linesOf(mergeDrafts(before, mine, theirs).typed)).toHaveLength(kept - 1)
})

test('reads a draft that a form carries, and nothing from what is none', () => {
  expect(draftRead(draftField(read))).toEqual(read)
  expect([draftRead(undefined), draftRead('{')]).toEqual([null, null])
})
