import { mergeField, pickedValues, saveWords } from '../../src/shared/merging.ts'

test.each([
  ['neither', 'a', 'a', 'a', 'a', 'none'],
  ['the user', 'a', 'b', 'a', 'b', 'none'],
  ['the other', 'a', 'a', 'c', 'c', 'followed'],
  ['both, alike', 'a', 'c', 'c', 'c', 'none'],
  ['both, differently', 'a', 'b', 'c', 'b', 'both'],
  ['the user, who emptied it', 'a', '', 'a', '', 'none'],
  ['the other, who emptied it', 'a', 'a', '', '', 'followed'],
  ['both, one of whom emptied it', 'a', '', 'c', '', 'both'],
  ['neither, with the line ends of a form', 'a\r\nb', 'a\r\nb', 'a\nb', 'a\nb', 'none'],
])('merges a field that %s changed', (_who, was, mine, stored, shown, change) =>
  expect(mergeField({ name: mine, 'name.read': was }, 'name', stored)).toMatchObject({ shown, change }),
)

test('takes a value that differs for touched where the value that was read is unknown', () => {
  expect(mergeField({ name: 'b' }, 'name', 'c')).toMatchObject({ shown: 'b', change: 'both' })
  expect(mergeField({}, 'name', 'c')).toMatchObject({ shown: 'c', change: 'none' })
})

test("saves the other person's values where they were chosen", () => {
  const sent = {
    'zone.a': 'on',
    'zone.a.read': '',
    'zone.a.pick': 'theirs',
    b: '1',
    'b.read': '2',
    'b.pick': 'mine',
  }
  expect(pickedValues(sent)).toEqual({
    values: { 'zone.a': '', b: '1' },
    read: { 'zone.a.read': '', 'b.read': '2' },
  })
  expect(pickedValues({ 'b.pick': 'theirs', 'b.read': '2', b: '1' }).values).toEqual({ b: '2' })
})

test('says who saved, with the day where it is another', () => {
  const now = new Date('2026-11-30T16:50:00Z')
  expect(saveWords('Mariana guardó', new Date('2026-11-30T16:42:00Z'), now)).toMatch(
    /^Mariana guardó a las 10:42\sa/,
  )
  expect(saveWords('Mariana guardó', new Date('2026-11-29T16:42:00Z'), now)).toMatch(
    /^Mariana guardó el .*29/,
  )
})
