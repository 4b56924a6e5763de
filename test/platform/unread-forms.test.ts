import { randomUUID } from 'node:crypto'
import { overload } from '../../src/shared/overload.ts'
import { customer, db, openOnce, post } from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { dataPath } from '../kit/visitor.ts'

openOnce()

/** As a database that shuts down answers whoever reads or writes a table. */
async function losing(table: string, change: string, run: () => Promise<void>) {
  const query = (text: string) => db.$client.query(text)
  await query(`create or replace function lost() returns trigger language plpgsql as
    $$ begin raise exception 'gone' using errcode = '57P03'; end $$`)
  await query(`create trigger lost before ${change} on ${table} execute function lost()`)
  try {
    await run()
  } finally {
    await query(`drop trigger lost on ${table}`)
  }
}

test('a form that lost its database on the way comes back with its words, and by script is sent again', async () => {
  const form = { ...addressForm, formKey: randomUUID(), street: 'Calle de los "Olvidos"' }
  await losing('addresses', 'insert', async () => {
    const page = await post('/address', form, customer)
    expect(page.text).toContain('value="Calle de los &quot;Olvidos&quot;"')
    for (const answer of [page, await post(dataPath('/address'), form, customer)])
      expect([answer.status, answer.headers.get(overload.answered)]).toEqual([503, 'unavailable'])
  })
})

test('a screen that could not even ask for its form’s key gives the words back, to be sent again', async () => {
  const form = { formKey: randomUUID(), street: 'Calle de los Olvidos', password: 'una frase larga' }
  const headers = { accept: 'text/html', 'content-length': String(String(new URLSearchParams(form)).length) }
  await db.$client.query('alter table form_answers rename to form_answers_gone')
  await db.$client.query(`create function gone() returns setof form_answers_gone language plpgsql as
    $$ begin raise exception 'gone' using errcode = '57P03'; end $$`)
  await db.$client.query('create view form_answers as select * from gone()')
  const page = await post('/address', form, customer, { headers })
  expect([page.status, page.headers.get(overload.answered)]).toEqual([503, null])
  expect(page.text).toContain('<form method="post" action="/address">')
  expect(page.text).toContain('<input type="hidden" name="street" value="Calle de los Olvidos">')
  expect(page.text).not.toContain('una frase')
  const data = await post(dataPath('/address'), form, customer)
  expect([data.status, data.headers.get(overload.answered)]).toEqual([503, null])
})
