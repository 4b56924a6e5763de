import { linkTo } from './outbox.ts'
import { newPerson, password, toastOn } from './steps.ts'
import { expect, test } from './world.ts'

test('a forgotten password, from /signin to the new one', { tag: ['@plain', '@once'] }, async ({
  page,
  arrive,
}) => {
  const email = await newPerson(page)
  const elsewhere = await arrive()
  await elsewhere.goto('/signin')
  await elsewhere.getByRole('link', { name: '¿Olvidaste tu contraseña?' }).click()
  await elsewhere.getByRole('button', { name: 'Enviar enlace' }).click()
  const box = elsewhere.getByLabel('Correo electrónico')
  await expect(box).toHaveAccessibleDescription(/Escribe tu correo electrónico\./)
  await box.fill(email)
  await elsewhere.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('Revisa tu correo')

  const link = await linkTo(email, 'Cambia tu contraseña')
  await elsewhere.goto(link)
  await expect(elsewhere.getByText(`Para ${email}`)).toBeVisible()
  const chosen = elsewhere.getByLabel('Contraseña nueva')
  await chosen.fill('12345678')
  await elsewhere.getByRole('button', { name: 'Guardar contraseña' }).click()
  await expect(chosen).toHaveAccessibleDescription(/de las primeras que alguien probaría/)
  await chosen.fill('otra frase larga')
  await elsewhere.getByRole('button', { name: 'Guardar contraseña' }).click()
  await expect(elsewhere).toHaveURL(/\/signin(\?|$)/)
  await expect(toastOn(elsewhere, 'Tu contraseña cambió')).toBeVisible()

  // The browser that was signed in is out, and what was good is good no more.
  await page.goto('/')
  await expect(page).toHaveURL(/signin/)
  for (const [secret, ends] of [
    [password, /signin/],
    ['otra frase larga', /\/$/],
  ] as const) {
    await elsewhere.getByLabel('Correo electrónico').fill(email)
    await elsewhere.getByLabel('Contraseña').fill(secret)
    await elsewhere.getByRole('button', { name: 'Iniciar sesión' }).click()
    if (secret === password) await expect(elsewhere.getByRole('main')).toContainText('no son correctos')
    await expect(elsewhere).toHaveURL(ends)
  }
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Este enlace ya se usó')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Revisa tu correo')
})

test('a mailbox is proved by the button behind its link', { tag: ['@plain', '@once'] }, async ({
  page,
  arrive,
}) => {
  const email = await newPerson(page)
  await page.goto('/')
  const banner = page.getByRole('button', { name: 'Enviar otra vez' })
  await expect(banner).toBeVisible()
  await banner.click()
  await expect(toastOn(page, 'Te mandamos otro correo')).toBeVisible()
  await expect(page).toHaveURL('/')

  const link = await linkTo(email, 'Confirma tu correo')
  const scanner = await arrive()
  await scanner.goto(link)
  await expect(scanner.getByRole('button', { name: 'Confirmar mi correo' })).toBeVisible()
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(page).toHaveURL('/')
  await expect(toastOn(page, 'Confirmamos tu correo')).toBeVisible()
  await expect(banner).toHaveCount(0)

  await scanner.getByLabel('Tu contraseña').fill('una frase larga')
  await scanner.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(scanner.getByRole('heading', { level: 1 })).toHaveText('Este enlace ya se usó')
})
