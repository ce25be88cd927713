#!/bin/sh
# pages.sh GPUSAFE SOURCE RULES: each rule of the list has a page that the command prints
# whole, with its name on top, an example, and the headings that every page has.
tool=$1 source=$2
code=0
page=$(mktemp)
while read -r rule; do
  "$tool" explain "$rule" > "$page" || code=1
  cmp -s "$page" "$source/checkers/rules/$rule.md" || { echo "$rule: not the page"; code=1; }
  for line in "^# $rule\$" '^## Found$' '^## Fix$' '^## Assumptions$' '^## Not found' '^```cuda$'; do
    grep -q "$line" "$page" || { echo "$rule: no line '$line'"; code=1; }
  done
done < "$3"
rm -f "$page"
exit $code
