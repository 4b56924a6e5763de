/**
 * The answer when the server has no capacity for a request: a header that marks the request as not processed, and the
 * message.
 */
export const overload = {
  header: 'x-turned-away',
  /** Marks the answer of a screen that shows its form again; `own`: it was refused in words of its own. */
  answered: 'x-answered',
  title: 'Hay mucha gente en este momento',
  description: 'No alcanzamos a atender esta solicitud. No se hizo ningún cambio.',
  read: 'La página se vuelve a pedir sola en unos segundos.',
  change:
    'Espera unos segundos, vuelve atrás en tu navegador y envía el formulario otra vez: lo que escribiste sigue ahí.',
} as const
