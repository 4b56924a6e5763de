/** The place in the bar below for what waits to be sent. */
export const outboxPlaceId = 'por-enviar'

/** The look of an item of the bar below, which its outbox has too. */
export const barItemClass =
  'relative grid min-h-14 content-center justify-items-center gap-0.5 py-1 text-base/5 font-medium tracking-tight text-ink no-underline hover:bg-hover aria-[current]:text-brand aria-busy:bg-hover'
