import type { ChatLine, RoomView } from '../../../src/calls/rules/protocol.ts'
import {
  createStore,
  heard,
  initialState,
  over,
  sameMedia,
  written,
} from '../../../src/calls/screens/rtc/call.ts'
import type { CallState } from '../../../src/calls/screens/rtc/call-state.ts'
import { joined, media, peer } from './room.ts'

const room = (change: Partial<RoomView>) => ({ type: 'room', room: { ...joined, ...change } }) as const
const joining: CallState = { ...initialState, phase: 'joining' }

test.each<[CallState['phase'], Partial<RoomView>, CallState['phase']]>([
  ['lobby', { sitting: null, peer }, 'lobby'],
  ['joining', { sitting: null, peer }, 'joining'],
  ['joining', {}, 'waiting'],
  ['joining', { peer }, 'talking'],
  ['talking', {}, 'waiting'],
  ['talking', { peer: { ...peer, lost: true } }, 'talking'],
  ['ended', { peer }, 'ended'],
])('the room moves from %s with %j to %s', (phase, change, next) => {
  expect(heard({ ...initialState, phase }, room(change)).phase).toBe(next)
})

test('the room keeps the place while a new socket has not joined again', () => {
  const talking = heard(joining, room({ peer }))
  const again = heard(talking, room({ sitting: null, peer }))
  expect(again.phase).toBe('talking')
  expect(again.room?.sitting).toBe('mine')
})

test('the room knows what the other side sends', () => {
  expect(heard(joining, room({ peer })).theirs).toEqual(media)
  expect(heard(joining, room({})).theirs).toBeNull()
})

const line = (id: string, minute: number): ChatLine => ({
  id,
  side: 'customer',
  text: id,
  at: `2026-05-04T16:0${minute}:00Z`,
})
const ids = (state: CallState) => state.chat.map(({ id }) => id)
const chat = (...lines: ChatLine[]) => ({ type: 'chat', lines }) as const

test('the chat keeps the order of the server, with unconfirmed lines last', () => {
  const mine = written(heard(joining, chat(line('a', 2))), line('mine', 0))
  expect(ids(mine)).toEqual(['a', 'mine'])
  expect(ids(heard(mine, chat(line('b', 1))))).toEqual(['b', 'a', 'mine'])
})

test('the chat shows a repeated line once, and takes the server’s as confirmation', () => {
  const mine = written(joining, line('mine', 5))
  expect(mine.unsent).toEqual(new Set(['mine']))
  const confirmed = heard(mine, chat(line('mine', 3)))
  expect(confirmed.unsent.size).toBe(0)
  expect(heard(confirmed, chat(line('mine', 3))).chat).toEqual([line('mine', 3)])
})

test('the chat stays when the call is over', () => {
  const state = over(written(joining, line('mine', 1)), 'over')
  expect(state).toMatchObject({ phase: 'ended', ended: 'over' })
  expect(ids(state)).toEqual(['mine'])
})

test('returns the same media object unless something was switched', () => {
  expect(sameMedia(media, { ...media })).toBe(media)
  expect(sameMedia(media, { ...media, audio: false })).toEqual({ ...media, audio: false })
})

test('notifies subscribers once for each change only', () => {
  const store = createStore(initialState)
  const changed = vi.fn()
  const stop = store.subscribe(changed)
  store.set({ link: 'open', phase: 'joining' })
  expect(changed).toHaveBeenCalledTimes(1)
  store.set({ link: 'open' })
  expect(changed).toHaveBeenCalledTimes(1)
  expect(store.get()).not.toBe(initialState)
  stop()
  store.set({ link: 'lost' })
  expect(changed).toHaveBeenCalledTimes(1)
})
