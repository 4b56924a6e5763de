import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

const esm = path.resolve('node_modules/lucide-react/dist/esm')

type Lines = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]

/** The lines of an icon as markup. */
export const linesOf = (node: Lines): string => node.map(elementOf).join('')

function elementOf([tag, attributes]: Lines[number]): string {
  const written = Object.entries(attributes).filter(([attribute]) => attribute !== 'key')
  return `<${tag}${written.map(([attribute, value]) => ` ${attribute}="${value}"`).join('')}/>`
}

/**
 * In a build every icon is imported from its own file, and stands with the screens that show it: by way of the package's
 * index each looks as if all that import any icon needed it, and comes with every page. Of that file only its lines are
 * taken (src/web/ui/drawn-icon.tsx).
 */
export const ownIcons: Plugin = {
  name: 'own-icons',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/src/web/') || !code.includes('lucide-react')) return null
    const index = readFileSync(`${esm}/lucide-react.mjs`, 'utf8')
    return code.replace(/import \{([^}]+)\} from ["']lucide-react["'];?/g, (_, names: string) =>
      names
        .split(',')
        .map((one) => one.trim().split(/\s+as\s+/))
        .map(([name, local = name]) => {
          const file = new RegExp(`\\bas ${name}\\b[^}]*\\} from '\\./(icons/[^']+)'`).exec(index)?.[1]
          return `import ${local} from '${file ? `${esm}/${file}` : this.error(`lucide-react has no ${name}`)}'`
        })
        .join('\n'),
    )
  },
  async load(id) {
    if (!id.startsWith(`${esm}/icons/`)) return null
    const { __iconData }: { __iconData: { node: Lines } } = await import(id)
    return `import drawnIcon from '${path.resolve('src/web/ui/drawn-icon.tsx')}'
      export default /* @__PURE__ */ drawnIcon(${JSON.stringify(linesOf(__iconData.node))})`
  },
}
