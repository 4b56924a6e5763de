import { mainId } from '../navigation-focus.ts'

/** Lets the keyboard skip the menu. */
export function SkipLink() {
  return (
    <a
      href={`#${mainId}`}
      className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-card focus:px-4 focus:py-3 focus:font-semibold focus:shadow-float"
    >
      Saltar al contenido
    </a>
  )
}
