import { type Shortcut, shortcutOf, shortcuts } from '../../../src/calls/screens/room/in-room.tsx'

const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  ...more,
})
const keyOf: Record<Shortcut, string> = {
  mute: 'm',
  camera: 'v',
  screen: 's',
  chat: 'c',
  close: 'Escape',
  list: '?',
}
const all = Object.keys(shortcuts) as Shortcut[]

test.each(all)('%s has the key of the list, in lower and upper case', (name) => {
  expect(shortcutOf(press(keyOf[name]), 'page', true)).toBe(name)
  expect(keyOf[name].toLowerCase()).toMatch(
    new RegExp(`^${RegExp.escape(shortcuts[name].key.toLowerCase())}`),
  )
  if (name !== 'close') expect(shortcutOf(press(keyOf[name].toUpperCase()), 'page', true)).toBe(name)
})

test.each(['ctrlKey', 'metaKey', 'altKey', 'repeat'] as const)('ignores a key with %s', (held) => {
  for (const name of all) expect(shortcutOf(press(keyOf[name], { [held]: true }), 'page', true)).toBeNull()
})

test('ignores letters in fields and when turned off, and every key in dialogs', () => {
  for (const name of all) {
    const isLetter = name !== 'close'
    expect(shortcutOf(press(keyOf[name]), 'field', true)).toBe(isLetter ? null : name)
    expect(shortcutOf(press(keyOf[name]), 'dialog', true)).toBeNull()
    expect(shortcutOf(press(keyOf[name]), 'page', false)).toBe(isLetter ? null : name)
  }
  expect(shortcutOf(press('x'), 'page', true)).toBeNull()
})
