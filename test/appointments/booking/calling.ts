import { randomUUID } from 'node:crypto'
import type { DeskAgenda } from '../../../src/scheduling/desk-slots.ts'
import { fixture, manager, post, runSql } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { loaded } from '../../kit/reading.ts'

export const path = '/admin/assignations/nueva'
export const route = 'dispatch/screens/new-appointment'
export const at = ({ id }: Pick<Person, 'id'>, service = 'technical_visit') =>
  `${path}?cliente=${id}&servicio=${service}`
export const newCaller = { name: 'Rita', lastname: 'Llamas', phone: '55 8123 4567', email: 'Rita@prueba.mx' }

export const send = (form: Record<string, string>, by: Person = manager) => post(path, form, by)
export const create = (form: Record<string, string> = {}) =>
  send({ intent: 'create-customer', callOnly: 'on', ...newCaller, ...form })
export const bookFor = (customer: Pick<Person, 'id'>, form: Record<string, string>, by = manager) => {
  const service = form.service ?? 'technical_visit'
  const sent = { intent: 'book-for-caller', customerId: customer.id, service, requestKey: randomUUID() }
  return post(at(customer, service), { ...sent, ...form }, by)
}

type Shown = { booking: { agenda: DeskAgenda } }
export const agendaFor = async (customer: Pick<Person, 'id'>, service?: string, more = '') =>
  loaded<Shown>(await fixture.data(at(customer, service) + more, manager), route).booking.agenda
/** The first free starts that the manager is shown for someone. */
export const startsFor = async (customer: Pick<Person, 'id'>, service?: string) =>
  (await agendaFor(customer, service)).slots.filter(({ kind }) => kind === 'free').map(({ start }) => start)

export const accountLetters = async () => {
  const { rows } = await runSql<{
    letter: string
  }>`select data ->> 'letter' as letter from pgboss.job where name = 'account-letter'`
  return rows.map(({ letter }) => letter)
}
