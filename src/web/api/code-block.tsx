import { classNames } from '../ui/class-names.ts'

/** Program text as it is; a long line is scrolled to, also by keyboard. */
export function CodeBlock({
  label,
  children,
  className,
}: {
  label: string
  children: string
  className?: string
}) {
  return (
    <figure className={classNames('grid min-w-0 gap-1.5', className)}>
      <figcaption className="text-sm font-semibold text-mute">{label}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line bg-hover p-3.5 text-[0.8125rem]/5 sm:p-4"
      >
        <code>{children}</code>
      </pre>
    </figure>
  )
}

/** Text in which what stands between backticks is code. */
export function WithCode({ children }: { children: string }) {
  return children.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have nothing else.
      <code key={at} className="rounded bg-hover px-1 py-0.5 text-[0.875em] wrap-anywhere">
        {part}
      </code>
    ),
  )
}
