/** What a form about a refund was shown with. */
export const Shown = ({ refund: { id, version } }: { refund: { id: string; version: number } }) => (
  <>
    <input type="hidden" name="refundId" value={id} />
    <input type="hidden" name="version" value={version} />
  </>
)
