import { findsNothing } from '../kit/axe.ts'
import { linkTo } from '../kit/outbox.ts'
import { newPerson, password, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

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
  await expect(chosen).toHaveAccessibleDescription(/es muy común/)
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

  await scanner.getByLabel('Tu contraseña').fill(password)
  await scanner.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(scanner.getByRole('heading', { level: 1 })).toHaveText('Este enlace ya se usó')
})

test('a mistyped mailbox is changed in the banner, a proved one by a letter to the new', {
  tag: ['@plain', '@once'],
}, async ({ page, arrive }) => {
  const wrong = await newPerson(page)
  const [right, next] = [`bien-${wrong}`, `otro-${wrong}`]
  await page.goto('/')
  await page.getByText('¿Te equivocaste? Cambiar correo').click()
  await page.getByLabel('Correo nuevo').fill(right)
  await page.getByLabel('Tu contraseña').fill('no es esta')
  await page.getByRole('button', { name: 'Cambiar correo' }).click()
  // The answer stands in the banner, and without JavaScript where the account is, with what was typed.
  const card = page.locator('form').filter({ has: page.getByLabel('Correo nuevo') })
  await expect(card.getByLabel('Tu contraseña')).toHaveAccessibleDescription(/no es correcta/)
  await expect(card.getByLabel('Correo nuevo')).toHaveValue(right)
  await card.getByLabel('Tu contraseña').fill(password)
  await page.getByRole('button', { name: 'Cambiar correo' }).click()
  await expect(toastOn(page, 'Cambiamos tu correo')).toBeVisible()
  await page.goto(await linkTo(right, 'Confirma tu correo'))
  await page.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(toastOn(page, 'Confirmamos tu correo')).toBeVisible()

  await page.goto('/cuenta#correo')
  await card.getByLabel('Correo nuevo').fill(next)
  await card.getByLabel('Tu contraseña').fill(password)
  await page.getByRole('button', { name: 'Cambiar correo' }).click()
  await expect(page.getByText('Falta confirmar tu correo nuevo')).toBeVisible()
  const stranger = await arrive()
  await stranger.goto(await linkTo(right, 'Pidieron cambiar el correo de tu cuenta'))
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('¿No pediste cambiar tu correo?')
  await page.goto(await linkTo(next, 'Confirma tu correo nuevo'))
  await page.getByRole('button', { name: 'Usar este correo' }).click()
  await expect(toastOn(page, 'Cambiamos tu correo')).toBeVisible()
})

test('whoever did not open the account deletes it by the letter', { tag: ['@plain', '@once'] }, async ({
  page,
  arrive,
}) => {
  const email = await newPerson(page)
  const owner = await arrive()
  await owner.goto(await linkTo(email, 'Confirma tu correo'))
  await owner.getByText('No la recuerdo').click()
  await owner.getByText('No fui yo').click()
  await owner.getByRole('button', { name: 'Borrar esa cuenta' }).click()
  await expect(toastOn(owner, 'Borramos esa cuenta')).toBeVisible()
  await page.goto('/')
  await expect(page).toHaveURL(/signin/)
})

test('axe finds nothing on the pages that these letters open', { tag: '@once' }, async ({ page, arrive }) => {
  const [email, reader] = [await newPerson(page), await arrive()]
  const letter = await linkTo(email, 'Confirma tu correo')
  await reader.goto(letter)
  await reader.getByText('No la recuerdo').click()
  await reader.getByText('No fui yo').click()
  await findsNothing(reader)
  await page.goto(letter)
  await page.getByRole('button', { name: 'Confirmar mi correo' }).click()
  await expect(toastOn(page, 'Confirmamos tu correo')).toBeVisible()
  await page.goto('/cuenta#correo')
  await page.getByLabel('Correo nuevo').fill(`otro-${email}`)
  await page.getByRole('region', { name: 'Correo', exact: true }).getByLabel('Tu contraseña').fill(password)
  await page.getByRole('button', { name: 'Cambiar correo' }).click()
  await expect(page.getByText('Falta confirmar tu correo nuevo')).toBeVisible()
  await findsNothing(page)
  await reader.goto(await linkTo(email, 'Pidieron cambiar el correo de tu cuenta'))
  await findsNothing(reader)
  await reader.goto(await linkTo(`otro-${email}`, 'Confirma tu correo nuevo'))
  await findsNothing(reader)
})
