import { useSite } from '../site.ts'

/** The mark and the name of the product. */
export function BrandMark() {
  return (
    <span className="flex min-w-0 items-center gap-2.5 text-[min(1.125rem,4.5vw)] font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7 shrink-0">
        <rect width="32" height="32" rx="9" className="fill-brand" />
        <path
          d="M6.5 15.2 16 7l9.5 8.2M9.5 13v10.5h13V13"
          fill="none"
          strokeWidth="2.2"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-brand"
        />
        <path d="m17 12.5-4 5.5h2.6l-.8 4 4.2-5.7h-2.7z" className="fill-on-brand" />
      </svg>
      <span className="unfolded truncate">{useSite()?.brand}</span>
    </span>
  )
}
