/** Whether a parameter, by its name, says how many items to leave out, in place of a page's number (gap `list.page_param`). */
export const asksForItems = (param: string): boolean => /offset|skip|start/i.test(param);
