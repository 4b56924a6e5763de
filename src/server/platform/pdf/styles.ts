import { StyleSheet } from '@react-pdf/renderer'

export const [ink, mute, line, brandColour, soft] = [
  '#16201d',
  '#566460',
  '#d5dcd9',
  '#0b7a5b',
  '#e4f4ee',
] as const

/** Points: a letter page is 612 × 792. */
export const styles = StyleSheet.create({
  page: {
    ...{ paddingTop: 40, paddingHorizontal: 44, paddingBottom: 56 },
    ...{ fontFamily: 'Helvetica', fontSize: 9.5, lineHeight: 1.35, color: ink },
  },
  top: { flexDirection: 'row', justifyContent: 'space-between', alignItems: 'center', marginBottom: 14 },
  brand: { flexDirection: 'row', alignItems: 'center', gap: 7 },
  brandName: { fontFamily: 'Helvetica-Bold', fontSize: 12 },
  folio: { color: mute },
  title: { fontFamily: 'Helvetica-Bold', fontSize: 20, lineHeight: 1.2, marginBottom: 3 },
  subtitle: { color: mute, marginBottom: 14 },
  heading: { fontFamily: 'Helvetica-Bold', fontSize: 11, marginBottom: 5 },
  section: { marginBottom: 11 },
  columns: { flexDirection: 'row', gap: 24 },
  column: { flex: 1 },
  row: {
    ...{ flexDirection: 'row', gap: 8, paddingVertical: 2.5 },
    ...{ borderTopWidth: 0.6, borderTopColor: line },
  },
  label: { width: '42%', color: mute },
  value: { flex: 1 },
  test: { width: '34%', color: mute },
  measured: { width: '22%' },
  subheading: { fontFamily: 'Helvetica-Bold', fontSize: 9.5, marginTop: 6, marginBottom: 3 },
  what: { flex: 1 },
  figure: { width: 84, textAlign: 'right' },
  day: { width: 58, color: mute },
  state: { width: 62, color: mute },
  sum: { flexDirection: 'row', gap: 8, paddingVertical: 2.5, borderTopWidth: 0.6, borderTopColor: line },
  total: { width: 110, textAlign: 'right', fontFamily: 'Helvetica-Bold' },
  outstanding: {
    ...{ backgroundColor: soft, borderRadius: 6, padding: 10, marginBottom: 14 },
    ...{ flexDirection: 'row', justifyContent: 'space-between', alignItems: 'center' },
  },
  outstandingValue: { fontFamily: 'Helvetica-Bold', fontSize: 11, color: brandColour },
  grid: { flexDirection: 'row', flexWrap: 'wrap', gap: 12 },
  picture: { width: 166 },
  frame: {
    ...{ height: 122, borderRadius: 4, backgroundColor: '#eff3f1', marginBottom: 3 },
    ...{ justifyContent: 'center', alignItems: 'center', overflow: 'hidden' },
  },
  image: { width: '100%', height: '100%', objectFit: 'contain' },
  caption: { fontFamily: 'Helvetica-Bold', fontSize: 8.5 },
  small: { fontSize: 7.5, color: mute },
  hash: { fontFamily: 'Courier', fontSize: 6.2, lineHeight: 1.3, color: mute },
  signature: { flex: 1 },
  signed: { height: 58, borderBottomWidth: 0.8, borderBottomColor: ink, marginBottom: 3 },
  paragraph: { marginBottom: 4 },
  // From the top, and each by itself: from the bottom, or in a row, the library loses them below the page.
  foot: { position: 'absolute', left: 44, top: 750, fontSize: 7.5, lineHeight: 1, color: mute },
  pageNumber: {
    ...{ position: 'absolute', right: 44, top: 750, width: 120, textAlign: 'right' },
    ...{ fontSize: 7.5, lineHeight: 1, color: mute },
  },
})
