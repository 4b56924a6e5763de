import { menuFor } from '../src/access/rules/menu.ts'
import { modules } from '../src/access/rules/routes.ts'
import type { GuidePage, Section } from './shape.ts'

/** The picture of a step, relative to the guide's folder. */
export const pictureOf = (page: GuidePage, section: Section, step: number) =>
  `imagenes/${page.file}-${section.item}-${step + 1}.webp`

/** The page of a role, in Markdown; each section is called as the sidebar calls its item. */
export function written(page: GuidePage): string {
  const labels = new Map(itemsOf(page).map(({ id, label }) => [id, label]))
  const sections = page.sections.map((section) => [
    `## ${labels.get(section.item)}`,
    section.intro,
    ...section.steps.flatMap(({ say }, step) => [
      `**${step + 1}.** ${say}`,
      `![${say.replace(/[[\]]/g, '')}](${pictureOf(page, section, step)})`,
    ]),
  ])
  return `${[`# Guía: ${page.title}`, page.intro, ...sections.flat()].join('\n\n')}\n`
}

/** What stands in the sidebar of a role once everything is switched on. */
export const itemsOf = ({ kind }: GuidePage) =>
  menuFor({ kind }, new Set(modules)).flatMap(({ items }) => items)

/** The first page, which leads to the others. */
export const contents = (pages: readonly GuidePage[]) =>
  `${[
    '# Guía de uso',
    'Una página por tipo de persona. Los textos y las imágenes salen de una misma corrida de la aplicación con su mundo de demostración: `npm run guide`.',
    pages.map(({ file, intro, title }) => `- [${title}](${file}.md): ${intro}`).join('\n'),
  ].join('\n\n')}\n`
