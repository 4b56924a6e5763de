import type { Page } from '@playwright/test'
import { dayOf, newCustomer, openDay, places, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const book = (page: Page) => page.getByRole('button', { name: 'Agendar visita' })

test(
  'two want the last place: one gets it, the other three that are near',
  { tag: ['@plain', '@once'] },
  async ({ arrive }, info) => {
    const people = [await arrive(), await arrive()]
    const [first, second] = people as [Page, Page]
    for (const page of people) await newCustomer(page, places.centre)
    await openDay(first, dayOf('race', info.project.name))
    await first.getByRole('radio').nth(3).check()
    const wanted = await first.getByRole('radio', { checked: true }).inputValue()
    await second.goto(first.url())
    await second.locator(`input[value="${wanted}"]`).check()
    await Promise.all(people.map((page) => book(page).click()))
    const taken = people.map((page) => page.getByText('Ese horario se acaba de ocupar.').first())
    const lost = await Promise.any(taken.map((words, at) => words.waitFor().then(() => people[at]!)))
    const won = people.find((page) => page !== lost)!
    await expect(won).toHaveURL('/technics-visit?agendada')
    await expect(lost).toHaveURL(/\/agenda-technics-visit/)

    await expect(lost.locator(`input[value="${wanted}"]`)).toHaveCount(0)
    await expect(lost.getByText('Elige un horario.').first()).toBeVisible()

    const near = lost.getByRole('main').getByRole('link', { name: /^\S{3} \d+ \S{3} \d{4}, / })
    await expect(near).toHaveCount(3)
    const chosen = await near.nth(1).textContent()
    await near.nth(1).click()
    const hands = /(\d+:\d+) [ap]/.exec(chosen ?? '')?.[1] ?? ''
    await expect(lost.getByRole('radio', { name: hands, exact: true })).toBeChecked()
    await book(lost).click()
    await expect(lost).toHaveURL('/technics-visit?agendada')
    await expect(lost.getByRole('main')).toContainText(`${/\d+/.exec(chosen ?? '')?.[0]} de `)
  },
)

test('pressed twice, it is one visit', { tag: ['@plain', '@once'] }, async ({ page }, info) => {
  await newCustomer(page)
  await openDay(page, dayOf('twice', info.project.name))
  await page.getByRole('radio').nth(5).check()
  await book(page).dblclick()
  await expect(page).toHaveURL('/technics-visit?agendada')
  await expect(toastOn(page, 'Tu visita quedó agendada')).toBeVisible()
  await expect(page.getByRole('main').getByText(/^VT-/)).toHaveCount(1)
})
