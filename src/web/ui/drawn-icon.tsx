import type { LucideProps } from 'lucide-react'

/**
 * What every icon of a build is made by, in place of lucide's factory (vite.icons.ts): its lines are written by the build,
 * instead of being made of elements wherever it is shown, and on the server and in a browser alike.
 */
export default function drawnIcon(lines: string) {
  const drawn = { __html: lines }
  return ({ className, size = 24, strokeWidth = 2, ...rest }: LucideProps) => (
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
      className={className}
      aria-hidden
      {...rest}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: lucide's own lines
      dangerouslySetInnerHTML={drawn}
    />
  )
}
