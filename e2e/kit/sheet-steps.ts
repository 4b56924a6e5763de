import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { largestFile } from '../../src/reports/rules/photos.ts'
import { isAsked } from '../../src/reports/rules/progress.ts'
import type { Answers, AnswerValue, HouseLoad, Question, Section } from '../../src/reports/rules/report.ts'
import { gaugeLabels } from '../../src/reports/rules/visit-report.ts'
import { newPlace } from '../../test/platform/backup/place.ts'

/** Answers a question as a person does; what has no answer is left alone. */
async function answers(page: Page, question: Question, value: AnswerValue | undefined) {
  const field = page.locator(`[id="${question.name}"]`)
  const chooses = (label: string) => field.getByRole('radio', { name: label }).check()
  if (value === undefined || value === null) return
  const folded = field.locator('details:not([open]) > summary')
  if (await folded.isVisible()) await folded.click()
  if (question.kind === 'tick') await field.getByRole('checkbox').check()
  else if (question.kind === 'yesNo') await chooses(value ? 'Sí' : 'No')
  else if (question.kind === 'conductor') await chooses(gaugeLabels[String(value)]!)
  else if (question.kind === 'loads') await lists(page, value as readonly HouseLoad[])
  else if (question.kind === 'choices')
    for (const one of String(value).split(',')) await field.locator(`input[value="${one}"]`).check()
  else if (question.kind !== 'choice') await field.getByRole('textbox').fill(String(value))
  else if (Object.keys(question.options).length > 6)
    await field.getByRole('combobox').selectOption(String(value))
  else await field.locator(`input[value="${value}"]`).check()
}

async function lists(page: Page, loads: readonly HouseLoad[]) {
  for (const { kind, name, quantity, watts } of loads) {
    await page.getByRole('button', { name: 'Otro aparato' }).click()
    const row = page.locator('#loads').getByRole('group').last()
    await row.getByRole('textbox', { name: 'Aparato' }).fill(name)
    await row.getByRole('combobox').selectOption(kind!)
    await row.getByLabel('Watts').fill(String(watts))
    await row.getByLabel('Cuántos').fill(String(quantity))
  }
}

/** Answers what a section asks. */
export async function answersSection(page: Page, { questions }: Section, given: Answers) {
  for (const question of questions)
    if (isAsked(question, given)) await answers(page, question, given[question.name])
}

/** Takes the photos of a section, each with bytes of its own, and draws its signatures. */
export async function takesPictures(page: Page, { slots }: Section, picture: string) {
  for (const slot of slots) {
    const card = page.locator(`[id="${slot}"]`)
    if (slot.startsWith('signature_')) await signsOn(page, card)
    else await card.locator('input[name=photo]').setInputFiles(ofItsOwn(picture, slot))
    await card.locator('img').first().waitFor()
  }
}

/** A picture with bytes of its own: what follows its end is no part of it. */
export const ofItsOwn = (picture: string, slot: string) => ({
  name: `${slot}.jpg`,
  mimeType: 'image/jpeg',
  buffer: Buffer.concat([readFileSync(picture), Buffer.from(slot)]),
})

/** The path of a picture that weighs more than the server takes: from a file, as its bytes would take long to a busy browser. */
export function tooLarge(picture: string): string {
  const folder = newPlace('carga-large-')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, path.basename(picture))
  writeFileSync(file, Buffer.concat([readFileSync(picture), Buffer.alloc(largestFile)]))
  return file
}

/** Opens the paper, draws a signature and keeps it. */
export async function signsOn(page: Page, card: Locator) {
  const window = page.getByRole('dialog')
  // Its code comes after the screen's.
  while (!(await window.isVisible())) {
    await card.getByRole('button', { name: /^Firmar/ }).click()
    await window.waitFor({ timeout: 3_000 }).catch(() => null)
  }
  const { x, y, width, height } = (await window.getByRole('img', { name: /^Firma de/ }).boundingBox())!
  await page.mouse.move(x + 0.2 * width, y + 0.3 * height)
  await page.mouse.down()
  for (const part of [0.4, 0.6, 0.8]) await page.mouse.move(x + part * width, y + (1 - part) * height)
  await page.mouse.up()
  await window.getByRole('button', { name: /^(Listo|Firmo de enterado|Recibí de conformidad)$/ }).click()
  await window.waitFor({ state: 'detached' })
}
