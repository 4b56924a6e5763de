import { longestLine } from '../../src/calls/rules/room.ts'
import { pageMessage } from '../../src/calls/rules/schema.ts'

const id = '0198f0c4-1111-7222-8333-444455556666'
const media = { audio: true, video: false, screen: false }
const read = (said: unknown) => pageMessage.safeParse(said).data ?? null
const line = (text: unknown) => {
  const said = read({ type: 'chat', id, text })
  return said?.type === 'chat' ? said.text : null
}

test.each([
  [{ type: 'ping', at: 1 }],
  [{ type: 'join', page: id, media }],
  [{ type: 'media', media }],
  [{ type: 'signal', to: id, signal: { candidate: null } }],
  [{ type: 'signal', to: id, signal: { candidate: { candidate: '', sdpMid: null } } }],
  [{ type: 'signal', to: id, signal: { description: { type: 'rollback' } } }],
  [{ type: 'signal', to: id, signal: { description: { type: 'offer', sdp: 'v=0\r\n'.repeat(10_000) } } }],
  [{ type: 'chat', id, text: 'Hola' }],
  [{ type: 'ice' }],
  [{ type: 'leave' }],
])('accepts the message %j', (said) => expect(read(said)).toEqual(said))

test.each([
  [null],
  [{ type: 'room' }],
  [{ type: 'join', page: 'mine', media }],
  [{ type: 'signal', to: id, signal: {} }],
  [{ type: 'signal', to: id, signal: { description: { type: 'shout', sdp: '' } } }],
  [{ type: 'signal', to: id, signal: { description: { type: 'offer', sdp: 'x'.repeat(60_001) } } }],
  [{ type: 'signal', to: id, signal: { candidate: { candidate: 'a\0b' } } }],
  [{ type: 'signal', to: id, signal: { description: { type: 'offer', sdp: 'half \ud83d' } } }],
  [{ type: 'chat', id: 1, text: 'Hola' }],
])('refuses the message %j', (said) => expect(read(said)).toBeNull())

test.each([
  ['keeps its lines', 'Uno\r\ndos\n\ntres', 'Uno\ndos\n\ntres'],
  ['has no more than one empty line between them', 'a\n\n\n\n\nb', 'a\n\nb'],
  ['has no control or invisible characters', 'a\0\u0007\u202eb\u200b\ufeff', 'ab'],
  ['keeps composed emoji', 'Técnica 👩‍🔧', 'Técnica 👩‍🔧'],
  ['has composed accents', 'cafe\u0301', 'café'],
  ['has single spaces', '  a \t\u00a0 b  ', 'a b'],
  ['may turn out to be empty', ' \n\u200b ', ''],
  ['loses what is too long of it', '🙂'.repeat(longestLine + 5), '🙂'.repeat(longestLine)],
  ['is empty where it is no text', 5, ''],
])('a line of the chat: %s', (_what, typed, kept) => expect(line(typed)).toBe(kept))
