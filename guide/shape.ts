import type { Locator, Page } from '@playwright/test'
import type { StaffKind } from '../src/access/rules/actor.ts'

/** One thing to do, in words, with the picture of the same moment. A page goes on from where the step before left it. */
export type Step = {
  say: string
  /** An address to open first. */
  at?: string
  /** A link to open then. */
  follow?: (page: Page) => Locator
  /** What is pressed then, without leaving the page. */
  press?: (page: Page) => Locator
  /** What else is done before the picture is taken. */
  act?: (page: Page) => Promise<unknown>
  /** What the words speak of: it is brought into view and framed. */
  show?: (page: Page) => Locator
}

type Role = Parameters<Page['getByRole']>[0]

/** The part of a page with this role and name. */
export const part = (role: Role, name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first()

/** The same beside header and menu. */
export const inMain = (role: Role, name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole(role, { name }).first()

/** What shows these words. */
export const words = (text: string | RegExp) => (page: Page) => page.getByText(text, { exact: true }).first()

/** The first link of the part of a page with this role and name. */
export const firstLink = (role: Role, name: string | RegExp) => (page: Page) =>
  part(role, name)(page).getByRole('link').first()

/** The words that a page begins with. */
export const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** What is told of one item of the sidebar. `as` is somebody of the demo fixture in whose case it can be shown. */
export type Section = { item: string; intro: string; as?: string; steps: readonly Step[] }

/** The guide of one role. */
export type GuidePage = {
  file: string
  title: string
  intro: string
  kind: StaffKind | null
  as: string
  /** Pictures are taken at the size of a phone, or of a desk. */
  size: 'phone' | 'desk'
  sections: readonly Section[]
}
