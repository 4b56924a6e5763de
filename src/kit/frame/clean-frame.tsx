import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { mainId } from '../navigation-focus.ts'
import { useMarker } from '../site.ts'
import { BrandMark } from './brand-mark.tsx'
import { FlashAlert } from './flash-alert.tsx'
import { Footer } from './footer.tsx'
import { SkipLink } from './skip-link.tsx'

type CleanFrameProps = {
  /** More than one card: as wide as the content of the internal layout. */
  wide?: boolean
  children: ReactNode
}

/** Brand, the screen's card, footer. */
export function CleanFrame({ wide = false, children }: CleanFrameProps) {
  return (
    <div
      className={classNames(
        'mx-auto flex min-h-dvh w-full flex-col gap-6 p-4',
        wide ? 'max-w-6xl sm:px-6 lg:py-6' : 'max-w-md sm:py-10',
      )}
    >
      <SkipLink />
      <header className="flex min-h-11 items-center justify-between gap-4">
        <a href="/" className="rounded-control">
          <BrandMark />
        </a>
        {!useMarker() && (
          <a
            href="/approach#dudas"
            className="inline-flex min-h-11 items-center text-[0.9375rem] text-mute hover:text-ink"
          >
            Ayuda
          </a>
        )}
      </header>
      <main id={mainId} tabIndex={-1} className="grid grid-cols-1 gap-4">
        <FlashAlert />
        {children}
      </main>
      <div className="mt-auto sm:mt-0 sm:*:justify-center">
        <Footer />
      </div>
    </div>
  )
}
