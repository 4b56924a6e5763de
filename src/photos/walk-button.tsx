import { Aperture } from 'lucide-react'
import { type ComponentProps, type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyOr } from '../kit/later.tsx'
import type { Draft } from '../offline/draft.ts'
import type { Sheet } from '../reports/rules/report.ts'
import { Button } from '../ui/button.tsx'
import type { SheetWalk as Walk } from './sheet-walk.tsx'

/** Where the network is gone before this phone keeps the whole app. */
const NotNow = () => <p role="alert">No pudimos abrir la cámara aquí. Usa «Tomar foto» en cada una.</p>

/** Loaded by the press that opens it. */
const SheetWalk = lazyOr(() => import('./sheet-walk.tsx').then((part) => part.SheetWalk), NotNow)

type WalkButtonProps = {
  sheet: Sheet
  draft: Draft
  /** The photos of this section: the walk begins with its first empty one. */
  here: readonly string[]
  known: ComponentProps<typeof Walk>['known']
}

/** Opens the camera for all the photos of a sheet, one after the other. */
export default function WalkButton({ sheet, draft, here, known }: WalkButtonProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        ref={button}
        variant="ghost"
        aria-haspopup="dialog"
        className="noscript:hidden"
        onClick={() => setIsOpen(true)}
      >
        <Aperture aria-hidden className="size-5 text-brand" />
        Tomar las fotos seguidas
      </Button>
      {isOpen && (
        <Suspense>
          <SheetWalk
            sheet={sheet}
            draft={draft}
            here={here}
            known={known}
            onClose={() => setIsOpen(false)}
            focusAfter={() => button.current?.focus()}
          />
        </Suspense>
      )}
    </>
  )
}
