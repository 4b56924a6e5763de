import type { ReactNode } from 'react'
import { mainId } from '../navigation-focus.ts'
import { BrandMark } from './brand-mark.tsx'
import { FlashAlert } from './flash-alert.tsx'
import { Footer } from './footer.tsx'
import { SkipLink } from './skip-link.tsx'

/** Brand, the screen's card, footer. */
export function CleanFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col gap-6 p-4 sm:py-10">
      <SkipLink />
      <header className="flex min-h-11 items-center sm:justify-center">
        <a href="/" className="rounded-control">
          <BrandMark />
        </a>
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
