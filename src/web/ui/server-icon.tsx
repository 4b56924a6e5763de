import type { LucideProps } from 'lucide-react'

type IconData = {
  name: string
  aliases?: readonly string[]
  node: readonly (readonly [string, Readonly<Record<string, string>>])[]
}

/**
 * What stands in for lucide's factory on the server (vite.config.ts): the lines of an icon are written once, instead of
 * being built of elements wherever it is shown. A browser's own icon takes the same element over.
 */
export default function serverIcon({ name, aliases = [], node }: IconData) {
  const lines = { __html: node.map(elementOf).join('') }
  const names = ['lucide', ...[name, ...aliases].map((word) => `lucide-${word}`)].join(' ')
  return (props: LucideProps) => drawn(names, lines, props)
}

const drawn = (
  names: string,
  lines: { __html: string },
  { className, size = 24, strokeWidth = 2, ...rest }: LucideProps,
) => (
  <svg
    xmlns="http://www.w3.org/2000/svg"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={strokeWidth}
    strokeLinecap="round"
    strokeLinejoin="round"
    className={className ? `${names} ${className}` : names}
    aria-hidden
    {...rest}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: lucide's own lines
    dangerouslySetInnerHTML={lines}
  />
)

function elementOf([tag, attributes]: IconData['node'][number]): string {
  const written = Object.entries(attributes).filter(([attribute]) => attribute !== 'key')
  return `<${tag}${written.map(([attribute, value]) => ` ${attribute}="${value}"`).join('')}></${tag}>`
}
