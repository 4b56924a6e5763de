import { randomUUID } from 'node:crypto'
import { makeCode } from '../../../src/accounts/letter-codes.ts'
import { accounts, users } from '../../../src/platform/database/schema/accounts.ts'
import {
  db,
  expectLed,
  expectNotOnPage,
  expectRow,
  expectRowsIn,
  expectScreen,
  fixture,
  manager,
  openEach,
  post,
  rowWhere,
  runSql,
  setRow,
  storeRows,
} from '../../kit/open.ts'
import { addressForm } from '../../kit/people.ts'
import { expectAnswered, expectLeadsTo, expectShown } from '../../kit/reading.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { accountLetters, at, bookFor, create, send, startsFor } from './calling.ts'

const password = 'una-frase-larga'
let id: string
let email: string
let stranger: Visitor

/** A stranger has made an account with the caller's mailbox, which they cannot read. */
openEach()
beforeEach(async () => {
  email = `marta-${randomUUID().slice(0, 8)}@prueba.mx`
  stranger = fixture.visitor()
  await post('/signup', { email, password }, stranger)
  const profile = { name: 'Marta', lastname: 'Vecina', phone: '5511112222', whatsapp: 'on' }
  await post('/completion', profile, stranger)
  id = (await rowWhere(users, { email }))!.id
  await storeRows(accounts, { userId: id, accountId: 'ajeno', providerId: 'oidc' })
  await runSql`delete from pgboss.job where name = 'account-letter'`
})
const giveHome = () =>
  send({
    intent: 'give-address',
    customerId: id,
    service: 'technical_visit',
    ...addressForm,
    street: 'Secreta',
  })

test('saving the caller’s address takes an unproved account from the stranger', async () => {
  expectShown(await create({ email }), 409, 'al guardar la pasamos a quien llama')
  const unproved = 'Nadie ha confirmado este correo'
  await expectScreen(at({ id }), manager, unproved)
  await expectAnswered(giveHome(), 303)
  for (const path of ['/address', '/', '/technics-visit', '/cuenta'])
    await expectLed(path, stranger, '/signin')
  await expectAnswered(post('/signin', { email, password }, stranger), 400)
  await expectRowsIn(accounts, { userId: id }, [])
  await expectRow(
    users,
    { id },
    {
      termsAcceptedAt: null,
      whatsappOptInAt: null,
      emailVerified: false,
    },
  )
  expect(await accountLetters()).toEqual(['claim_account'])
  // A later booking takes nothing more, and the code of the first email stays good.
  await expectNotOnPage(at({ id }), manager, unproved)
  const { code: oobCode } = await makeCode(db, 'reset_password', id, new Date())
  const [start] = await startsFor({ id })
  await expectAnswered(bookFor({ id }, { startsAt: start! }), 303)
  expect(await accountLetters()).toEqual(['claim_account'])
  const chosen = { intent: 'password', oobCode, password: 'la-mia-de-verdad' }
  await expectLeadsTo(post('/recover-password?mode=resetPassword', chosen), '/signin')
})

test('a booking alone takes it as well', async () => {
  const [start] = await startsFor({ id }, 'videocall')
  const call = { service: 'videocall', startsAt: start!, interest: '03' }
  await expectAnswered(bookFor({ id }, call), 303)
  await expectLed('/videocall', stranger, '/signin')
  expect(await accountLetters()).toEqual(['claim_account'])
})

test('an account with a proved mailbox stays its owner’s', async () => {
  await setRow(users, id, { emailVerified: true })
  await expectAnswered(giveHome(), 303)
  await expectAnswered(fixture.data('/address', stranger), 200)
  expect(await accountLetters()).toEqual([])
})
