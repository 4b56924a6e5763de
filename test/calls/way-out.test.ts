import { tasks } from '../../src/platform/database/schema/projects.ts'
import { minute } from '../kit/appointments.ts'
import {
  analyst,
  expectCount,
  expectNotOnPage,
  expectRowsIn,
  expectScreen,
  expectTrail,
  fixture,
  post,
} from '../kit/open.ts'
import { expectAnswered, expectLocation, expectPage, loaded } from '../kit/reading.ts'
import {
  after,
  call,
  change,
  client,
  clock,
  joins,
  leaves,
  newAnalyst,
  now,
  openDesk,
  pendingPath,
  press,
  storedCall,
  takeOver,
} from './desk.ts'

openDesk()

const page = '/videocall'
const say = (intent: string, path = page) => post(path, { intent, appointmentId: call.id }, client)
type Turn = { call: { turn: string | null; changesIn: number | null } }
const turn = async () => {
  const { call } = loaded<Turn>(await fixture.data(page, client), 'calls/screens/videocall')
  return [call.turn, call.changesIn === null ? null : call.changesIn / minute]
}

test('the page of a call shows whose turn it is, and when that changes', async () => {
  clock(-60)
  expect(await turn()).toEqual([null, 45])
  clock(-15)
  expect(await turn()).toEqual(['open', null])
  await expectScreen('/', client, 'href="/videocall?llamada"')
  await joins(analyst, -10)
  clock(-9)
  expect(await turn()).toEqual(['expected', null])
  await expectScreen('/', client, 'Tu analista ya te espera en la sala')
  await leaves(analyst, -8)
  await joins(client, -5)
  clock(9.5)
  expect(await turn()).toEqual(['waiting', 0.5])
  await expectNotOnPage(page, client, 'Seguir esperando')
  clock(10)
  expect(await turn()).toEqual(['left_alone', 20])
  await expectScreen(page, client, 'Seguir esperando', 'Otro horario', 'Llámenme al 551')
})

test('a customer who keeps waiting is asked again after ten minutes, and the call can be taken over meanwhile', async () => {
  await joins(client, -5)
  clock(9)
  expectPage(await say('keep-waiting'), 409, 'Tu analista todavía puede llegar.')
  clock(11)
  expectLocation(await say('keep-waiting'), page)
  expect(await turn()).toEqual(['waiting', 10])
  expect(await now()).toMatchObject({ state: 'assigned', version: call.version })
  await expectTrail(call, ['keepWaiting'], 'appointment')
  await expectAnswered(takeOver(await newAnalyst()), 303)
  clock(20.9)
  expect((await turn())[0]).toBe('waiting')
  clock(21)
  expect((await turn())[0]).toBe('left_alone')
  // A form of the room redirects to the room.
  const room = `${page}?llamada`
  for (const intent of ['keep-waiting', 'ask-call-back']) expectLocation(await say(intent, room), room)
})

test('a customer left waiting moves the call after the cut-off as our change, and the room is empty again', async () => {
  await change({ movedByCustomer: 2 })
  await joins(client, -5)
  clock(9)
  const agenda = `/agenda-videocall?cambiar=${call.id}`
  await expectScreen(agenda, client, 'Ya pasó el plazo')
  clock(11)
  await say('keep-waiting')
  type Agenda = { chosen: { starts: string[] } }
  const { chosen } = loaded<Agenda>(await fixture.data(agenda, client), 'book-videocall')
  const startsAt = chosen.starts[0]!
  const answer = await post(agenda, { startsAt, version: String(call.version) }, client)
  expect(answer.location).toBe(page)
  expect(await now()).toMatchObject({
    startsAt: new Date(startsAt),
    state: 'assigned',
    movedByCustomer: 2,
    movedByUs: 1,
    customerWaitingSince: null,
    customerCameAt: null,
  })
  expect((await storedCall())!.keepsWaitingAt).toBeNull()
  expect((await turn())[0]).toBeNull()
})

test('a customer asks to be phoned: one urgent task, shown to them and to the office', async () => {
  clock(-16)
  expectPage(await say('ask-call-back'), 409, 'podrás pedir que te llamemos')
  clock(12)
  await joins(client, 0)
  const taps = await Promise.all([say('ask-call-back'), say('ask-call-back')])
  expect(taps.map(({ location }) => location)).toEqual([page, page])
  expect(await now()).toMatchObject({ state: 'assigned', callBackAskedAt: after(12) })
  const about = { personId: client.id, projectId: call.projectId, appointmentId: call.id }
  const task = { ...about, reason: 'call_back', urgent: true, phone: '5512345678', doneAt: null }
  await expectRowsIn(tasks, {}, [task])
  await expectTrail(call, ['askCallBack'], 'appointment')
  await expectScreen(page, client, 'Te llamamos al 551 234 56 78 lo antes posible')
  await expectScreen('/', client, 'Te llamamos por teléfono')
  await expectScreen('/admin', analyst, `lo pidió en su videollamada ${call.folio}`)
  await expectScreen(pendingPath(), analyst, 'Pidió que le llamemos por teléfono')
})

test('a customer asks to be phoned in the middle of a call, not after it; a malformed id is refused', async () => {
  clock(0)
  await press(analyst, 'start')
  clock(3)
  expectLocation(await say('ask-call-back'), page)
  expect(await now()).toMatchObject({ state: 'in_progress', callBackAskedAt: after(3) })
  await change({ state: 'cancelled', callBackAskedAt: null })
  for (const intent of ['keep-waiting', 'ask-call-back']) {
    await expectAnswered(post(page, { intent, appointmentId: 'x' }, client), 400)
    await expectAnswered(say(intent), 409)
  }
  await expectCount(tasks, {}, 1)
})
