import { useEffect } from 'react'
import { menuFoldCookie } from '../../../shared/device.ts'
import { keepOnDevice } from '../../../ui/single-keys.ts'

type FoldButtonProps = { folded: boolean; fold: (folded: boolean) => void }

/** Folds a desk's sidebar to its icons, or unfolds it, and keeps that on this device for a year. */
export default function FoldButton({ folded, fold }: FoldButtonProps) {
  const label = folded ? 'Desplegar el menú' : 'Plegar el menú'
  useEffect(() => {
    // Beside an icon alone, its words.
    for (const line of document.querySelectorAll<HTMLElement>('#menu :has(> .unfolded)'))
      line.title = folded ? line.textContent : ''
  }, [folded])
  const press = () => {
    keepOnDevice(menuFoldCookie, folded ? null : 'plegado')
    fold(!folded)
  }
  return (
    <button
      type="button"
      title={label}
      onClick={press}
      style={{ position: 'absolute', top: 12, right: 14 }}
      className="hidden size-11 place-items-center rounded-control text-mute hover:bg-hover lg:grid"
    >
      {/* Lucide's panel-left: imported, it would come with every page. */}
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        className="size-5"
      >
        <rect width="18" height="18" x="3" y="3" rx="2" />
        <path d="M9 3v18" />
      </svg>
      <span className="sr-only">{label}</span>
    </button>
  )
}
