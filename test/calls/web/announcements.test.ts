import { announcement } from '../../../src/calls/screens/room/announcer.tsx'
import { joined, media, peer } from './room.ts'

type Heard = Parameters<typeof announcement>[0]
const room = { ...joined, peer }
const talking: Heard = { phase: 'talking', room, theirs: media, way: 'open', link: 'open' }
const alone: Heard = {
  ...talking,
  phase: 'waiting',
  room: joined,
  theirs: null,
  way: 'none',
}
const lost: Heard = { ...talking, room: { ...room, peer: { ...peer, lost: true } } }

test.each<[string | null, Heard, Heard]>([
  ['Laura entró a la llamada', alone, talking],
  ['Laura salió de la llamada', talking, alone],
  ['Se perdió la conexión con Laura', talking, lost],
  ['Laura volvió a la llamada', lost, talking],
  ['Laura comparte su pantalla', talking, { ...talking, theirs: { ...media, screen: true } }],
  ['Laura dejó de compartir su pantalla', { ...talking, theirs: { ...media, screen: true } }, talking],
  ['Volviendo a conectar', talking, { ...talking, way: 'reconnecting' }],
  ['Conexión recuperada', { ...talking, way: 'reconnecting' }, talking],
  ['Sin conexión con el servidor', talking, { ...talking, link: 'lost' }],
  ['De nuevo con conexión al servidor', { ...talking, link: 'lost' }, talking],
  [null, talking, { ...talking, theirs: { ...media, audio: false } }],
  [null, { ...talking, way: 'connecting' }, talking],
  [null, { ...talking, phase: 'lobby' }, { ...alone, phase: 'lobby' }],
])('announces: %s', (words, before, now) => {
  expect(announcement(before, now)).toBe(words)
})

test('announces the chat when there is no way for picture and sound', () => {
  expect(announcement(talking, { ...talking, way: 'no_way' })).toContain('chat')
})
