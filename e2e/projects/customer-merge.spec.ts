import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { entersAs, newPerson, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

/** The page of a customer, found by the mailbox; answers its address. */
async function opensFile(page: Page, email: string): Promise<string> {
  await page.goto(`/admin/users?text=${email}`)
  await page.getByRole('link', { name: 'Ana Prueba' }).click()
  await page.getByRole('link', { name: 'Ver su ficha' }).click()
  await expect(page).toHaveURL(/\/cliente$/)
  await expect(page.getByRole('link', { name: email })).toBeVisible()
  return new URL(page.url()).pathname
}

/** From the page of one customer to the other beside it. */
async function compares(page: Page, email: string) {
  await page.getByRole('link', { name: 'Es la misma persona que…' }).click()
  await page.getByLabel('Buscar a un cliente').fill(email)
  await page.getByRole('button', { name: 'Buscar' }).click()
  await page.getByRole('search').locator('..').getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { name: 'Qué va a pasar' })).toBeVisible()
}

test('two records of one person are merged after a look at both, and separated again', {
  tag: '@plain',
}, async ({ page, arrive }) => {
  const [kept, other] = [await newPerson(await arrive()), await newPerson(await arrive())]
  await entersAs(page, 'gerente@demo.mx')
  const otherPath = await opensFile(page, other)
  const keptPath = await opensFile(page, kept)
  await compares(page, other)
  await expect(page.getByText(`Con ${other} ya no se podrá entrar`)).toBeVisible()

  await page.getByRole('link', { name: 'Que quede esta' }).click()
  await expect(page.getByText(`Con ${kept} ya no se podrá entrar`)).toBeVisible()
  await page.getByRole('link', { name: 'Que quede esta' }).click()
  await expect(page.getByText(`Con ${other} ya no se podrá entrar`)).toBeVisible()

  await page.getByRole('button', { name: 'Unir las dos fichas' }).click()
  await expect(page.getByText('Marca la casilla').first()).toBeVisible()
  await page.getByLabel('Confirmé que es la misma persona').check()
  await page.getByRole('button', { name: 'Unir las dos fichas' }).click()
  await expect(toastOn(page, 'Ya es una sola ficha')).toBeVisible()
  await expect(page).toHaveURL(keptPath)
  await expect(page.getByText(`Se unió con la ficha de Ana Prueba (${other})`)).toBeVisible()

  await page.goto(otherPath)
  await expect(page).toHaveURL(keptPath)
  await page.getByRole('button', { name: 'Deshacer la unión' }).click()
  await expect(toastOn(page, 'Deshiciste la unión')).toBeVisible()
  await expect(page).toHaveURL(otherPath)
  await expect(page.getByRole('link', { name: other })).toBeVisible()
})

test('the search and the comparison are readable to everybody', { tag: '@once' }, async ({
  page,
  arrive,
}) => {
  const other = await newPerson(await arrive())
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/users?text=cliente3@demo.mx')
  await page.getByRole('link', { name: 'Carmen Demo' }).click()
  await page.getByRole('link', { name: 'Ver su ficha' }).click()
  await page.getByRole('link', { name: 'Es la misma persona que…' }).click()
  await expect(page.getByRole('heading', { name: 'Parecidas' })).toBeVisible()
  await findsNothing(page, 'a search for the same person')
  await page.goBack()
  await compares(page, other)
  await findsNothing(page, 'two records beside each other')
})
